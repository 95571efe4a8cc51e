import { ConfigError } from '../config/config.ts';

/** Opens a port. @throws ConfigError naming the port when another process uses it */
export async function openPort<T>(name: string, host: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'EADDRINUSE') throw error;
    throw new ConfigError([`${name}: another process uses port ${port} of ${host}; stop it or choose another port`]);
  }
}
