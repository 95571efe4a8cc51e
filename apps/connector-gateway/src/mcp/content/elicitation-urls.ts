import type { ElicitationHosts } from '@gatehouse/content-controls/elicitation-hosts';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';

/** A connector asked the user to open a page whose host the settings do not allow. */
export class ForbiddenHostError extends GatehouseError {
  override readonly code = 'elicitation_host_forbidden';
}

/** Most characters of a host in a message. */
const MAX_SHOWN_LENGTH = 255;

/**
 * Checks the URLs that a message of a connector asks the user to open: `elicitation/create`,
 * `inputRequests` of a result, and `elicitations` in the data of an error.
 * @returns the message with each URL as the WHATWG URL Standard writes it, so that no client reads
 * another host in it
 * @throws ForbiddenHostError
 */
export function checkElicitationUrls<T extends object>(message: T, hosts: ElicitationHosts): T {
  const checked = { ...message } as JsonObject;
  if (checked['method'] === 'elicitation/create') checked['params'] = checkQuestion(checked['params'], hosts);
  if (isJsonObject(checked['inputRequests']))
    checked['inputRequests'] = Object.fromEntries(
      Object.entries(checked['inputRequests']).map(([name, input]) => [
        name,
        isJsonObject(input) ? checkElicitationUrls(input, hosts) : input,
      ]),
    );
  const { data } = checked;
  if (isJsonObject(data) && Array.isArray(data['elicitations']))
    checked['data'] = { ...data, elicitations: data['elicitations'].map((each) => checkQuestion(each, hosts)) };
  return checked as T;
}

/** @param question the params of an elicitation; those of a form have no URL */
function checkQuestion(question: unknown, hosts: ElicitationHosts): unknown {
  if (!isJsonObject(question) || (question['mode'] !== 'url' && question['url'] === undefined)) return question;
  const url = typeof question['url'] === 'string' ? URL.parse(question['url']) : null;
  if (url !== null && hosts.isAllowed(url)) return { ...question, url: url.href };
  throw new ForbiddenHostError(describeForbidden(url));
}

function describeForbidden(url: URL | null): string {
  const setting = 'which the setting content.elicitation_hosts of this gateway does not allow';
  if (url === null) return `asked to open a page without a valid address, ${setting}`;
  const place =
    url.host === '' ? `an address with ${url.protocol}` : `a page at ${url.host.slice(0, MAX_SHOWN_LENGTH)}`;
  const credentials = url.username === '' && url.password === '' ? '' : ', in an address with credentials';
  const scheme = url.host !== '' && url.protocol !== 'https:' ? ` with ${url.protocol}` : '';
  return `asked to open ${place}${scheme}${credentials}, ${setting}`;
}
