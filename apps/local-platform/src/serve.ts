import { readConfig, UsageError, USAGE, type PlatformConfig } from './config.ts';
import { DamagedFileError, homePaths } from './home.ts';
import { HomeInUseError } from './lock.ts';
import { watchParent } from './parent-guard/parent.ts';
import { NotBuiltError, Platform } from './platform.ts';
import { PortTakenError } from './ports.ts';
import { StartFailedError } from './supervisor.ts';
import { welcome } from './welcome.ts';

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function run(config: PlatformConfig): Promise<void> {
  const begun = performance.now();
  const platform = new Platform(config, say);
  let signals = 0;
  const stop = (reason: string): void => {
    signals += 1;
    if (signals > 1) {
      platform.kill();
      process.exit(130);
    }
    say(`${reason}: stopping (again: at once)`);
    void platform.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  // npm runs this program in its own place in the process tree (exec), so a killed npm shows as
  // another parent.
  if (config.underNpm) watchParent(process.ppid, () => stop('npm is gone'));

  const file = await platform.start();
  if (signals > 0) return;
  if (config.json) process.stdout.write(`${JSON.stringify(file)}\n`);
  else say(welcome(file, homePaths(config.home), (performance.now() - begun) / 1000));
  setInterval(() => undefined, 60_000);
}

/** Reasons that are for the person who started this, without a stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof HomeInUseError || error instanceof PortTakenError)
    return error.message;
  if (error instanceof NotBuiltError || error instanceof StartFailedError || error instanceof DamagedFileError)
    return error.message;
  if (isSystemError(error)) return `The platform cannot use its home: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A refusal of the file system: no room, no right, no folder. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string';

// A terminal that closes takes its end of these with it; the stop that follows from that still has
// its lines to say.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

// Everything below the home is for its owner alone, also what the services and SQLite make there.
process.umask(0o077);

try {
  const config = readConfig(process.argv.slice(2));
  if (config === 'help') process.stdout.write(USAGE);
  else await run(config);
} catch (error) {
  say(explain(error));
  process.exit(error instanceof UsageError ? 2 : 1);
}
