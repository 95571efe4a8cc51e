import { describe, expect, it } from '@jest/globals';
import { KubernetesApiError, toKubernetesApiError } from './errors.ts';

const PATH = '/apis/gatehouse.dev/v1alpha1/namespaces/team-a/aipolicies';
const createError = (members: object): Error => Object.assign(new Error('x'), members);

describe('toKubernetesApiError', () => {
  it.each([
    ['the status of a response', { code: 409 }, 409],
    ['the status of a watch response', { statusCode: 410, code: 'x' }, 410],
  ])('keeps %s', (_, members, status) => {
    expect(toKubernetesApiError(createError(members), PATH)).toMatchObject({ code: 'kubernetes_api_failed', status });
  });

  it.each([
    ['a timeout', new DOMException('the operation timed out', 'TimeoutError')],
    ['an abort', new DOMException('the operation was aborted', 'AbortError')],
    ['a refused connection', createError({ code: 'ECONNREFUSED' })],
    ['an error without a code', new TypeError('fetch failed')],
  ])('returns %s as it is, because the API did not answer', (_, error) => {
    expect(toKubernetesApiError(error, PATH)).toBe(error);
    expect(toKubernetesApiError(error, PATH)).not.toBeInstanceOf(KubernetesApiError);
  });
});
