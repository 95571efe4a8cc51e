import type { SignInBrowser } from '@gatehouse/workloads/runtime/sign-in-browser';
import type { Desktop } from './browser.ts';
import { showAddress } from './login.ts';
import { listenForRedirect } from './loopback.ts';

/**
 * Creates the browser for sign-ins to remote servers. Authorization servers know the redirect by
 * the name `localhost`, which other tools of this kind register too.
 */
export const createSignInBrowser = ({ browser, graphical }: Desktop, say: (text: string) => void): SignInBrowser => ({
  listen: (port, state) => listenForRedirect(state, { port, host: 'localhost' }),
  open: (url, { skipsBrowser }) => showAddress(url, { noBrowser: skipsBrowser || !graphical, browser, say }),
});
