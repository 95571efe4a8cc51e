import type { Workloads } from '@gatehouse/workloads/lifecycle';
import type { Overlay } from '@gatehouse/workloads/ignore/overlays';
import { formatOverlays } from './overlay-lines.ts';
import { ExitCode } from '../terminal/error-report.ts';
import { formatDetails, printable, toJson, type Output } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import type { WorkloadClients } from './clients/workload-clients.ts';
import { updateClients } from './clients/update-clients.ts';
import type { Desktop } from './session/browser.ts';
import { lazyBrowser } from './session/lazy-browser.ts';
import { showLogs } from './logs.ts';
import type { PreparedRun } from './run-request.ts';

/** The options of `run`. */
interface RunStyle {
  readonly foreground: boolean;
  readonly json: boolean;
  readonly output: Output;
  /** Opens the MCP clients of the user. */
  readonly openClients: () => Promise<WorkloadClients>;
  readonly abort: AbortSignal;
  /** How a browser is opened. */
  readonly desktop: Desktop;
}

/**
 * Runs a workload and prints its address and the command that stops it. In the foreground it shows
 * the server's log on stderr until the server ends, and then removes the workload.
 * @returns the exit code
 */
export async function runWorkload(workloads: Workloads, prepared: PreparedRun, style: RunStyle): Promise<number> {
  const { foreground, json, output, openClients, abort, desktop } = style;
  const { name, warnings, start, fail } = prepared;
  for (const warning of warnings) output.say(printable(`Warning: ${warning}`));
  let overlays: readonly Overlay[] | undefined;
  let opening: Promise<WorkloadClients> | undefined;
  const { state, launched } = await withProgress(`Starting ${name}`, ({ step, note }) => {
    const showOverlays = (resolved: readonly Overlay[]) => {
      overlays = resolved;
      if (!json) for (const line of formatOverlays(resolved)) note(line);
    };
    const warn = (text: string) => note(`Warning: ${text}`);
    const browser = lazyBrowser(desktop, note);
    const progress = (text: string) => {
      step(text);
      // It loads its modules while another process works.
      opening ??= openClients();
      opening.catch(() => undefined);
    };
    return start(workloads, foreground, { progress, warn, showOverlays, browser, abort });
  }).catch(async (error: unknown) => {
    throw await fail(error);
  });
  const clients = await (opening ?? openClients());
  const isListed = await updateClients(clients, [state], [state.name], output.say);
  const listedBy = isListed ? clients.listClientsOf(state.name) : [];
  if (json) output.json({ ...toJson(state), clients: listedBy, ...(overlays && { overlays }) });
  else {
    const how = foreground ? 'Ctrl-C' : `gatehouse stop ${state.name}`;
    for (const line of formatDetails(state).slice(0, 3)) output.line(line);
    if (listedBy.length > 0) output.line(`${'Clients'.padEnd(10)} ${listedBy.join(', ')}`);
    output.line(`${'Stop'.padEnd(10)} ${how}`);
  }
  if (!foreground) {
    launched.release();
    return ExitCode.ok;
  }
  try {
    return await showUntilEnd(workloads, state.name, launched.ended, abort);
  } finally {
    await launched.stop();
    await workloads.remove(state.name);
    await updateClients(clients, [], [state.name], output.say);
  }
}

/** Shows the server's output until it ends. */
async function showUntilEnd(
  workloads: Workloads,
  name: string,
  ended: Promise<number>,
  abort: AbortSignal,
): Promise<number> {
  const over = new AbortController();
  const either = AbortSignal.any([abort, over.signal]);
  const logs = showLogs(workloads, name, { follow: true, proxy: false, abort: either, standardError: true });
  const interrupted = new Promise<number>((resolve) => {
    if (abort.aborted) resolve(ExitCode.interrupted);
    abort.addEventListener('abort', () => resolve(ExitCode.interrupted));
  });
  const code = await Promise.race([ended, interrupted]);
  over.abort();
  await logs.catch(() => undefined);
  return code;
}
