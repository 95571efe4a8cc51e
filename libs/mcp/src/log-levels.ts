/** Severities of log messages (RFC 5424), most verbose first. */
import type { RpcNotification } from './json-rpc.ts';

/** All severities. */
export const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Whether the text names a severity. */
export function isLogLevel(level: unknown): level is string {
  return typeof level === 'string' && LOG_LEVELS.includes(level);
}

/**
 * Whether a log message reaches the minimum `level`. Without a minimum, and with an unknown
 * severity, every message does.
 */
export function isSevereEnough(message: RpcNotification, level: string | undefined): boolean {
  if (level === undefined) return true;
  const at = LOG_LEVELS.indexOf(String(message.params?.['level']));
  return at === -1 || at >= LOG_LEVELS.indexOf(level);
}
