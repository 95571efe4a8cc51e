import { describeFileProblem } from '@gatehouse/local-files/file-problem';
import type { RunConfig } from '../configuration/run-config.ts';
import { AuditLog } from '../files/audit-log.ts';

const DEFAULTS = { maxBytes: 10 * 1024 * 1024, maxFiles: 5 };

/** Whether the configuration of a workload turns the audit on. */
export const isAudited = ({ audit_config: audit }: RunConfig): boolean => audit != null && audit.enabled !== false;

/**
 * Opens the audit log of a workload; undefined when it is not audited.
 * @param defaultPath the file where the configuration names no other one
 * @throws Error that names the file when it cannot be opened
 */
export function openAuditLog(
  config: RunConfig,
  defaultPath: string,
  report: (sentence: string) => void,
): AuditLog | undefined {
  if (!isAudited(config)) return undefined;
  const { logFile, maxFileSize, maxFiles } = config.audit_config ?? {};
  const path = logFile || defaultPath;
  const limits = { maxBytes: maxFileSize || DEFAULTS.maxBytes, maxFiles: maxFiles || DEFAULTS.maxFiles };
  try {
    return new AuditLog({ path, ...limits, report });
  } catch (error) {
    throw new Error(`the audit log ${path} cannot be opened: ${describeFileProblem(error)}`, { cause: error });
  }
}
