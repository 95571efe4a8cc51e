import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The stable codes of errors about a registry. */
export type RegistryErrorCode =
  | 'registry_unavailable'
  | 'registry_document_invalid'
  | 'registry_server_unknown'
  | 'registry_server_ambiguous'
  | 'registry_server_unsupported'
  | 'server_environment_missing'
  | 'server_arguments_missing';

/** The base class of errors about a registry: one sentence, and what to try next. */
export abstract class RegistryError extends GatehouseError {
  abstract override readonly code: RegistryErrorCode;

  /** @param tryNext commands or changes that are likely to help */
  constructor(
    message: string,
    readonly tryNext: readonly string[] = [],
    cause?: unknown,
  ) {
    super(message, { cause, expose: true });
  }
}

/** A registry cannot be read, and there is no stored copy of it. */
export class RegistryUnavailableError extends RegistryError {
  override readonly code = 'registry_unavailable' as const;
}

/** A registry has answered with a document that is no registry. */
export class RegistryDocumentError extends RegistryError {
  override readonly code = 'registry_document_invalid' as const;
}

/** A registry has no server with a name. */
export class UnknownServerError extends RegistryError {
  override readonly code = 'registry_server_unknown' as const;
}

/** A short name is the end of the names of several servers. */
export class AmbiguousServerError extends RegistryError {
  override readonly code = 'registry_server_ambiguous' as const;

  /** @param names full names of the servers */
  constructor(
    readonly typed: string,
    readonly names: readonly string[],
  ) {
    super(`The registry has ${names.length} servers named '${typed}': ${names.join(', ')}`, [
      `${names[0] ?? typed}   the full name of one of them`,
    ]);
  }
}

/** An entry of a registry describes a server that Gatehouse cannot run. */
export class UnsupportedServerError extends RegistryError {
  override readonly code = 'registry_server_unsupported' as const;

  /**
   * @param server name of the entry
   * @param field path of the field in the entry, such as `packages[0].version`
   */
  constructor(
    readonly server: string,
    readonly field: string,
    reason: string,
    tryNext: readonly string[] = [],
  ) {
    super(`The registry entry ${server} cannot be run: ${field} ${reason}`, tryNext);
  }
}
