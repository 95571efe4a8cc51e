import { spawn } from 'node:child_process';

/** How a command opens a browser. */
export interface Desktop {
  /** A program instead of the system's browser. */
  readonly browser: string | undefined;
  /** Whether a browser on this machine can show a page to the user. */
  readonly graphical: boolean;
}

/** The program that opens an address on this system. */
function opener(browser: string | undefined): [string, ...string[]] {
  if (browser !== undefined) return [browser];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/**
 * Opens an address in the user's browser, without waiting for it.
 * @param browser a program to use instead of the system's default
 * @returns whether the program was started
 */
export function openBrowser(url: string, browser: string | undefined): Promise<boolean> {
  const [program, ...args] = opener(browser);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
