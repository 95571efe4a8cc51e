import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import { readSmallText } from '@gatehouse/local-files/text-file';
import { AUDIT_EVENT_TYPES } from '@gatehouse/proxy/audit/audit-event-types';
import * as z from 'zod/mini';
import { flagError, getErrorMessage, type WorkloadError } from '../errors/workload-error.ts';
import { parseJsonDocument } from '../files/json-document.ts';
import { findSensitiveFile } from '../mounts/check-mounts.ts';
import { listUserHomes } from '../mounts/user-homes.ts';

const flag = z.optional(z.boolean());
const count = z.optional(z.int().check(z.minimum(0)));
const types = z.optional(
  z.nullable(
    z.readonly(
      z.array(
        z.string().check(
          z.refine((type) => AUDIT_EVENT_TYPES.includes(type), {
            error: ({ input }) => `${JSON.stringify(input)} is not one of ${AUDIT_EVENT_TYPES.join(', ')}`,
          }),
        ),
      ),
    ),
  ),
);

/** The audit configuration, in a file and in a run configuration. */
export const AuditConfigSchema = z.looseObject({
  /** False: nothing is audited. */
  enabled: flag,
  /** The audited server; absent: the name of the workload. */
  component: z.optional(z.string()),
  eventTypes: types,
  excludeEventTypes: types,
  includeRequestData: flag,
  includeResponseData: flag,
  detectApplicationErrors: flag,
  maxDataSize: count,
  maxDelegationDepth: count,
  /** The file of the log; absent: audit.log in the folder of the workload. */
  logFile: z.optional(z.string()),
  /** Size in bytes at which the file becomes an older one; 0 or absent: 10 MiB. */
  maxFileSize: count,
  /** Number of older files; 0 or absent: 5. */
  maxFiles: count,
});
export type AuditConfig = Readonly<z.output<typeof AuditConfigSchema>>;

/** The audit of a command line. */
export interface RequestedAudit {
  readonly config: AuditConfig;
  /** The absolute path of the file that it was read from. */
  readonly path: string | undefined;
}

const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Parses `--enable-audit` and reads the file of `--audit-config`, which alone is enough.
 * @param folder the folder of a relative path
 * @returns undefined without audit
 * @throws WorkloadError (usage) that names the flag and the member
 */
export function parseAuditFlags(
  flags: { readonly enableAudit?: boolean | undefined; readonly auditConfig?: string | undefined },
  folder: string,
): RequestedAudit | undefined {
  const { auditConfig: typed } = flags;
  if (typed === undefined) return flags.enableAudit === true ? { config: {}, path: undefined } : undefined;
  const refuse = (problem: string) => flagError(`--audit-config ${typed}`, problem);
  if (typed === '' || typed.includes('\0')) throw refuse('is not the path of a JSON file');
  const path = resolve(folder, typed);
  const parsed = AuditConfigSchema.safeParse(readDocument(path, refuse));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(`is not valid: ${issue?.path.join('.') || 'the document'}: ${issue?.message ?? ''}`);
  }
  if (flags.enableAudit === true && parsed.data.enabled === false)
    throw flagError('--enable-audit', `contradicts enabled of --audit-config ${typed}, which is false`);
  return { config: resolveLogFile(parsed.data, folder, `--audit-config ${typed}`), path };
}

/**
 * Makes the path of the log absolute.
 * @param typed the flag with its value, for messages
 * @throws WorkloadError (usage) when its folder does not exist
 */
export function resolveLogFile(config: AuditConfig, folder: string, typed: string): AuditConfig {
  if (!config.logFile) return config;
  const logFile = resolve(folder, config.logFile);
  const parent = statSync(dirname(logFile), { throwIfNoEntry: false });
  if (parent?.isDirectory() !== true)
    throw flagError(
      typed,
      `has the logFile ${config.logFile}, whose folder does not exist`,
      `mkdir -p ${dirname(logFile)}`,
    );
  const problem = findLogFileProblem(logFile);
  if (problem !== undefined)
    throw flagError(typed, `has the logFile ${config.logFile}, ${problem}`, 'give the log a file of its own');
  return { ...config, logFile };
}

/** Text of servers and clients is written into the log, and others write configurations. */
function findLogFileProblem(path: string): string | undefined {
  const exists = statSync(path, { throwIfNoEntry: false });
  const real = exists === undefined ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path);
  const sensitive = findSensitiveFile(real, listUserHomes());
  if (sensitive !== undefined && exists?.isFile() !== false) return `which belongs to ${sensitive.what}`;
  if (exists?.isFile() !== true || exists.size === 0) return undefined;
  return startsAsLog(path) ? undefined : 'which exists and is no audit log';
}

/** Whether the first line of a file can be an event. */
function startsAsLog(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(descriptor, start, 0, 2, 0);
    return start.toString('latin1') === '{"';
  } finally {
    closeSync(descriptor);
  }
}

function readDocument(path: string, refuse: (problem: string) => WorkloadError): unknown {
  let document: string;
  try {
    document = readSmallText(path, MAX_FILE_BYTES);
  } catch (error) {
    throw refuse(`cannot be read: ${describeFileProblem(error)}`);
  }
  try {
    return parseJsonDocument(document);
  } catch (error) {
    throw refuse(getErrorMessage(error));
  }
}
