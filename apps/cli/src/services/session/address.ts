import { UsageError } from '../../errors/cli-error.ts';

/** Whether an address belongs to this machine, so that no other machine can read the traffic. */
export function isLoopback(url: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}

/**
 * Normalizes the address of an enterprise manager, because sessions are stored by address: without
 * a slash at the end. It must be https, or http on this machine, because access tokens are sent to
 * it.
 * @param source the source of the address (`--url`), for messages
 * @throws UsageError
 */
export function managerAddress(text: string, source: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${source} must be an address, not ${JSON.stringify(text)}`, [
      'https://gatehouse.example.com',
    ]);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${source} must be an address without a name, password, query or fragment`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new UsageError(`${source} must begin with https://: a token would cross the network in clear`, [
      text.replace(/^http:/i, 'https:'),
    ]);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
