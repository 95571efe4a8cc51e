import { fileURLToPath } from 'node:url';
import { ConfigError } from '@gatehouse/service-kit/config';
import { loadSettings } from './config.ts';
import { createServer } from './server.ts';

/** Interval in milliseconds at which the parent process is checked. */
const PARENT_INTERVAL_MS = 250;

try {
  const settings = loadSettings();
  const server = await createServer(settings, fileURLToPath(new URL('./web', import.meta.url)));
  await server.listen({ host: settings.HOST, port: settings.PORT });
  const stop = (): void => {
    void server.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (settings.EXIT_WITH_PARENT) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) stop();
    }, PARENT_INTERVAL_MS).unref();
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
