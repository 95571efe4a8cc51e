import { listCauses, findRefusal } from './egress-refusal.ts';

/** The reason why an outgoing call got no response. */
export type DialProblem =
  'refused_by_rule' | 'dns' | 'tls' | 'refused' | 'timeout' | 'unreachable' | 'closed' | 'other';

const CODES: Readonly<Record<string, DialProblem>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
};

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|ERR_OSSL_|HOSTNAME_MISMATCH$)/;

/** Classifies an error of an egress call and describes it in a sentence that names the host. */
export function explainDial(error: unknown, url: URL): { problem: DialProblem; sentence: string } {
  const refusal = findRefusal(error);
  if (refusal !== undefined) return { problem: 'refused_by_rule', sentence: refusal.message };
  // undici refuses ports below 20 that the Fetch standard blocks, before any dial.
  if (listCauses(error).some(({ message }) => message === 'bad port'))
    return { problem: 'refused_by_rule', sentence: `${url.host} is on a port where another protocol is at home` };
  const problem = classifyProblem(error);
  return { problem, sentence: createSentence(problem, url, getCode(error)) };
}

function classifyProblem(error: unknown): DialProblem {
  for (const cause of listCauses(error)) {
    const code = typeof cause.code === 'string' ? cause.code : '';
    if (TLS_CODE.test(code)) return 'tls';
    const known = CODES[code];
    if (known !== undefined) return known;
    if (cause.name === 'TimeoutError') return 'timeout';
  }
  return 'other';
}

function getCode(error: unknown): string {
  const codes = listCauses(error).map(({ code }) => code);
  return codes.filter((code) => typeof code === 'string').at(-1) ?? 'no further detail';
}

function createSentence(problem: DialProblem, url: URL, code: string): string {
  switch (problem) {
    case 'dns':
      return `DNS knows no address of ${url.hostname} (${code})`;
    case 'tls':
      return `${url.host} is not trusted over TLS (${code})`;
    case 'refused':
      return `${url.host} refused the connection; nothing listens there`;
    case 'timeout':
      return `${url.host} did not answer in time`;
    case 'unreachable':
      return `no route leads to ${url.host} (${code})`;
    case 'closed':
      return `${url.host} closed the connection before it answered`;
    default:
      return `the call to ${url.host} failed (${code})`;
  }
}
