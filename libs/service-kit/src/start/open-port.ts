import { ConfigError } from '../config/config.ts';

/** Opens a port. @throws ConfigError naming it when another process has it */
export async function openPort<T>(name: string, host: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'EADDRINUSE') throw error;
    throw new ConfigError([`${name}: port ${port} of ${host} is taken by another process`]);
  }
}
