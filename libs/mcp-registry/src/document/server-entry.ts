import { z } from 'zod';
import { ArgumentInput, EnvironmentVariableInput, HeaderInput, MAX_ITEMS, Text } from './inputs.ts';
import { PublisherExtension } from './publisher-extension.ts';

/** The member of `_meta` that the publisher of an entry writes. */
export const PUBLISHER_META = 'io.modelcontextprotocol.registry/publisher-provided';
/** The namespace in it whose fields Gatehouse reads; registries of ToolHive use it. */
export const EXTENSION_NAMESPACE = 'io.github.stacklok';

/** The name of a server: a reversed DNS name, a slash, a name. It is no path. */
export const SERVER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9.-]*\/[a-zA-Z0-9._-]*[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
export const MAX_NAME_LENGTH = 200;

const Transport = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('stdio') }),
  z.looseObject({ type: z.literal('streamable-http'), url: Text, headers: z.array(HeaderInput).optional() }),
  z.looseObject({ type: z.literal('sse'), url: Text, headers: z.array(HeaderInput).optional() }),
]);

const Package = z.looseObject({
  registryType: z.string().max(50),
  registryBaseUrl: Text.optional(),
  identifier: z.string().min(1).max(1_000),
  version: z.string().max(255).optional(),
  fileSha256: z.string().max(100).optional(),
  runtimeHint: Text.optional(),
  transport: Transport,
  runtimeArguments: z.array(ArgumentInput).max(MAX_ITEMS).optional(),
  packageArguments: z.array(ArgumentInput).max(MAX_ITEMS).optional(),
  environmentVariables: z.array(EnvironmentVariableInput).max(MAX_ITEMS).optional(),
});

/** A package of an entry: an image, or a package of npm or PyPI. */
export type ServerPackage = z.infer<typeof Package>;

const Remote = z.looseObject({
  type: z.enum(['streamable-http', 'sse']),
  url: Text.min(1),
  headers: z.array(HeaderInput).max(MAX_ITEMS).optional(),
});

/** An address of an entry. */
export type ServerRemote = z.infer<typeof Remote>;

const Meta = z.looseObject({
  [PUBLISHER_META]: z
    .looseObject({ [EXTENSION_NAMESPACE]: z.record(z.string(), PublisherExtension).optional() })
    .optional(),
});

/**
 * An entry of a registry: the server.json of the official registry (schema 2025-12-11). Types are
 * strict and unknown fields stay.
 */
export const ServerEntry = z.looseObject({
  name: z
    .string()
    .min(3)
    .max(MAX_NAME_LENGTH)
    .regex(SERVER_NAME, "must be a reversed DNS name, '/' and a name, such as com.example/files"),
  title: Text.optional(),
  description: Text,
  version: z.string().min(1).max(255),
  status: z.string().max(20).optional(),
  websiteUrl: Text.optional(),
  repository: z.looseObject({ url: Text.optional(), source: Text.optional(), subfolder: Text.optional() }).optional(),
  packages: z.array(Package).max(100).optional(),
  remotes: z.array(Remote).max(100).optional(),
  _meta: Meta.optional(),
});

/** A server, as a registry describes it. */
export type ServerEntry = z.infer<typeof ServerEntry>;

/** The additions of the publisher to an image, a package or an address of an entry. */
export function getPublisherExtension(entry: ServerEntry, identifier: string): PublisherExtension {
  const extensions = entry._meta?.[PUBLISHER_META]?.[EXTENSION_NAMESPACE];
  return extensions !== undefined && Object.hasOwn(extensions, identifier) ? (extensions[identifier] ?? {}) : {};
}
