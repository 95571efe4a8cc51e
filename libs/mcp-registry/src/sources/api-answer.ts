import { z } from 'zod';
import { formatPath } from '../document/entry-list.ts';
import { parseJsonText } from '../document/json-text.ts';
import { RegistryDocumentError } from '../registry-error.ts';

/** The statements of the registry itself about an entry. */
const OFFICIAL_META = 'io.modelcontextprotocol.registry/official';

const ApiEntry = z.looseObject({
  server: z.looseObject({}),
  _meta: z.looseObject({ [OFFICIAL_META]: z.looseObject({ status: z.string().optional() }).optional() }).optional(),
});

const ApiPage = z.looseObject({
  servers: z.array(ApiEntry).max(1_000).nullable(),
  metadata: z.looseObject({ nextCursor: z.string().max(2_000).nullish() }),
});

/** A page of a list: entries in the form of server.json, and the cursor of the next page. */
export interface ApiPage {
  readonly servers: readonly unknown[];
  readonly nextCursor: string | undefined;
  readonly bytes: number;
}

/**
 * Reads the answer of `GET /v0.1/servers`. Deleted servers are left out.
 * @throws RegistryDocumentError
 */
export function readApiPage(bytes: Uint8Array, source: string): ApiPage {
  const { servers, metadata } = parseAnswer(ApiPage, bytes, source);
  return {
    servers: (servers ?? []).filter((one) => getStatus(one) !== 'deleted').map(toServer),
    nextCursor: metadata.nextCursor || undefined,
    bytes: bytes.length,
  };
}

/** Reads the answer of `GET /v0.1/servers/{name}/versions/latest`. @throws RegistryDocumentError */
export function readApiServer(bytes: Uint8Array, source: string): unknown {
  return toServer(parseAnswer(ApiEntry, bytes, source));
}

const getStatus = ({ _meta: meta }: z.infer<typeof ApiEntry>): string | undefined => meta?.[OFFICIAL_META]?.status;

function toServer(entry: z.infer<typeof ApiEntry>): unknown {
  const status = getStatus(entry);
  return status === undefined ? entry.server : { ...entry.server, status };
}

function parseAnswer<T>(schema: z.ZodType<T>, bytes: Uint8Array, source: string): T {
  const read = schema.safeParse(parseJsonText(bytes, source));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new RegistryDocumentError(
    `${source} is no answer of a registry: ${formatPath(issue?.path ?? [])}: ${issue?.message ?? 'it is not valid'}`,
  );
}
