import type { RegistryCredentials } from './find-credentials.ts';

const encode = (value: object): string => {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
};

/** The header of a pull. */
export const createPullHeaders = (credentials: RegistryCredentials | undefined): Record<string, string> =>
  credentials === undefined ? {} : { 'x-registry-auth': encode(credentials) };

/** The header of a build: the credentials of the registry of its base image. */
export const createBuildHeaders = (credentials: RegistryCredentials | undefined): Record<string, string> =>
  credentials === undefined ? {} : { 'x-registry-config': encode({ [credentials.serveraddress]: credentials }) };
