import { readConfig, UsageError, USAGE, type PlatformConfig } from './config.ts';
import { homePaths } from './home.ts';
import { HomeInUse } from './lock.ts';
import { watchParent } from './parent.ts';
import { NotBuilt, Platform } from './platform.ts';
import { PortTaken } from './ports.ts';
import { StartFailure } from './supervisor.ts';
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
  // npm runs this program in its own place in the process tree (exec), so a killed npm shows as another parent.
  if (config.underNpm) watchParent(process.ppid, () => stop('npm is gone'));

  const file = await platform.start();
  if (signals > 0) return;
  if (config.json) process.stdout.write(`${JSON.stringify(file)}\n`);
  else say(welcome(file, homePaths(config.home), (performance.now() - begun) / 1000));
  setInterval(() => undefined, 60_000);
}

/** Reasons that are for the person who started this, without a stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof HomeInUse || error instanceof PortTaken) return error.message;
  if (error instanceof NotBuilt || error instanceof StartFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

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
