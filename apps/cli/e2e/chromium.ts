import { type Fixture, unavailable } from '@gatehouse/testing/fixture';
import { existsSync } from 'node:fs';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Finds a browser of this machine. */
export function findChromium(): Fixture<string> {
  const program = PROGRAMS.find((path) => existsSync(path));
  return program ? { available: true, value: program } : unavailable('there is no Chromium: apt-get install chromium');
}
