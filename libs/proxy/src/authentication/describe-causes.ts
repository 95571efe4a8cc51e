import { listCauses } from '@gatehouse/egress/egress-refusal';

/** The messages of an error and of its causes, each once. None of them has a token. */
export function describeCauses(error: unknown): string {
  const messages = listCauses(error).map(({ message }) => (typeof message === 'string' ? message : ''));
  return [...new Set(messages.filter((message) => message !== ''))].join(': ');
}
