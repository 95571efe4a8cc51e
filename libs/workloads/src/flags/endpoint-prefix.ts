import { ProxyOptionError } from '@gatehouse/proxy/option-error';
import { parsePrefix } from '@gatehouse/proxy/sse/endpoint';
import { flagError } from '../errors/workload-error.ts';

/**
 * Parses `--endpoint-prefix`, without its last slash; empty: none.
 * @throws WorkloadError (usage)
 */
export function parseEndpointPrefix(text = ''): string {
  try {
    return parsePrefix(text);
  } catch (error) {
    if (!(error instanceof ProxyOptionError)) throw error;
    throw flagError(`--endpoint-prefix ${text}`, 'is not the path of a URL; give one such as /tools');
  }
}
