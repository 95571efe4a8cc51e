import { resolve } from 'node:path';
import { flagError } from '../errors/workload-error.ts';
import { parseBuildEnvironment } from './build-environment.ts';
import { readCertificates } from './certificates.ts';
import { isImageReference } from './image-reference.ts';
import { requireConstraints, type Scheme } from './package-reference.ts';

/** The options of a build. */
export interface BuildOptions {
  /** The image of the build stage, and of the final stage for uvx and npx. */
  readonly image: string;
  /** Packages of the operating system for both stages. */
  readonly packages: readonly string[];
  /** Constraints of dependencies, PEP 508; uvx only. */
  readonly constraints: readonly string[];
  /** Certificates of authorities that the build and the server trust, PEM. */
  readonly certificates?: string | undefined;
  /** The variables of the registries of packages, for the build stage. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The base image of each scheme where neither a flag nor a setting names one. */
export const DEFAULT_IMAGES: Readonly<Record<Scheme, string>> = {
  uvx: 'python:3.14-slim',
  npx: 'node:24-alpine',
  go: 'golang:1.26-alpine',
};

const PACKAGE = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;
const CONSTRAINT = /^[A-Za-z0-9][A-Za-z0-9._+[\],<>=!~* -]{0,127}$/;

/** The flags of builds as typed. */
export interface BuildFlags {
  readonly buildWith?: readonly string[] | undefined;
  readonly caCert?: string | undefined;
  readonly runtimeImage?: string | undefined;
  readonly runtimeAddPackage?: readonly string[] | undefined;
  /** The variables of the registries of packages; they are no flags. */
  readonly buildEnvironment?: Readonly<Record<string, string>> | undefined;
}

/** The options of a build that a command line names. */
export interface BuildRequest {
  /** Undefined: the default of the scheme. */
  readonly image: string | undefined;
  readonly packages: readonly string[];
  readonly constraints: readonly string[];
  /** The absolute path of a file with certificates. */
  readonly certificateFile: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Parses the flags of builds.
 * @param scheme of the package; undefined for a server that is not built
 * @param folder against which `--ca-cert` is relative
 * @throws WorkloadError (usage)
 */
export function parseBuildFlags(flags: BuildFlags, scheme: Scheme | undefined, folder: string): BuildRequest {
  const constraints = parseConstraints(flags.buildWith ?? []);
  if (constraints.length > 0) requireConstraints(scheme);
  const certificateFile = flags.caCert === undefined ? undefined : resolve(folder, flags.caCert);
  if (certificateFile !== undefined) readCertificates(certificateFile, `--ca-cert ${flags.caCert ?? ''}`);
  return {
    image: flags.runtimeImage === undefined ? undefined : parseRuntimeImage(flags.runtimeImage),
    packages: parseRuntimePackages(flags.runtimeAddPackage ?? []),
    constraints,
    certificateFile,
    environment: parseBuildEnvironment(flags.buildEnvironment ?? {}, scheme),
  };
}

/** Lists the given flags that have no effect for a server that is not built. */
export function listIdleBuildFlags({ caCert, runtimeImage, runtimeAddPackage }: BuildFlags): string[] {
  return [
    ...(runtimeImage === undefined ? [] : ['--runtime-image']),
    ...(runtimeAddPackage?.length ? ['--runtime-add-package'] : []),
    ...(caCert === undefined ? [] : ['--ca-cert']),
  ];
}

/**
 * Parses `--runtime-image`.
 * @param typed begins the message
 * @throws WorkloadError (usage)
 */
export function parseRuntimeImage(text: string, typed = `--runtime-image ${text}`): string {
  if (isImageReference(text)) return text;
  throw flagError(typed, 'is not an image reference', 'write it as [host[:port]/]name[:tag][@digest]');
}

/**
 * Parses `--runtime-add-package`.
 * @param flag begins the message
 * @throws WorkloadError (usage)
 */
export const parseRuntimePackages = (texts: readonly string[], flag = '--runtime-add-package'): readonly string[] =>
  parseEach(flag, texts, PACKAGE, 'is not the name of a package of the operating system');

/** Parses `--build-with`. @throws WorkloadError (usage) */
const parseConstraints = (texts: readonly string[]): readonly string[] =>
  parseEach('--build-with', texts, CONSTRAINT, 'is not a constraint such as pydantic<2');

function parseEach(flag: string, texts: readonly string[], form: RegExp, problem: string): readonly string[] {
  const wrong = texts.find((text) => !form.test(text));
  if (wrong !== undefined) throw flagError(`${flag} ${wrong}`, problem);
  return [...new Set(texts)].sort();
}
