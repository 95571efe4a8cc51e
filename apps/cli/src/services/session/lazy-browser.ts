import type { Desktop } from './browser.ts';
import type { SignInBrowser } from '@gatehouse/workloads/runtime/sign-in-browser';

/** Creates the browser of a command, whose modules are loaded at the first sign-in. */
export function lazyBrowser(desktop: Desktop, say: (text: string) => void): SignInBrowser {
  const load = async () => (await import('./sign-in-browser.ts')).createSignInBrowser(desktop, say);
  return {
    listen: async (port, state) => (await load()).listen(port, state),
    open: async (url, options) => (await load()).open(url, options),
  };
}
