import { Args, Flags } from '@oclif/core';
import { parseGoDuration } from '@gatehouse/workloads/flags/go-duration';
import { invalidFlag } from '../errors/cli-error.ts';
import type { McpSession } from '../services/mcp/mcp-session.ts';
import { WorkloadCommand } from './workload-command.ts';

/** The argument of commands that call an MCP server. */
export const targetArgument = {
  target: Args.string({ required: true, ignoreStdin: true, description: 'name of a running workload, or a URL' }),
};

/** The flags of commands that call an MCP server. */
export const callFlags = (defaultTimeout: string) => ({
  timeout: Flags.string({ description: 'maximum time of each request', default: defaultTimeout }),
});

/** The base of commands that call an MCP server. */
export abstract class McpCommand extends WorkloadCommand {
  /** Connects to a workload or a URL, and closes the session after the work. */
  protected async call<T>(target: string, timeout: string, work: (session: McpSession) => Promise<T>): Promise<T> {
    const timeoutMs = parseGoDuration(timeout);
    if (timeoutMs === undefined || timeoutMs < 1)
      throw invalidFlag(`--timeout ${timeout}`, 'is not a duration', '--timeout 30s', '--timeout 2m');
    const { resolveTarget } = await import('../services/mcp/target.ts');
    const url = await resolveTarget(this.workloads(), target);
    const { withMcpSession } = await import('../services/mcp/mcp-session.ts');
    const version = this.config.version;
    return withMcpSession({ url, timeoutMs, version, abort: this.interruption() }, work);
  }
}
