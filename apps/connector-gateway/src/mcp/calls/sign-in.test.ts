import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../ports/snapshot.ts';
import type { ClientCall } from './client-call.ts';
import type { Plane } from './plane.ts';
import { askToSignIn, removeSignInAnswer } from './sign-in.ts';

const LINK = 'https://gateway.test/oauth/connect/1';
const connector = { slug: 'files', name: 'Files' } as Connector;
const createPlane = (link: string | undefined) =>
  ({ links: { create: () => Promise.resolve(link) } }) as unknown as Plane;
const createCall = (call: Partial<ClientCall>) =>
  ({ params: {}, capabilities: {}, sessionId: undefined, user: { issuer: 'i', subject: 's' }, ...call }) as ClientCall;
const ask = (plane: Plane, call: ClientCall) => askToSignIn(plane, call, connector, 'needs you to sign in');
const withUrls = { elicitation: { url: {} } };

describe('a missing sign-in', () => {
  it('is a question for a client of 2026-07-28 with URL elicitation', async () => {
    const asked = await ask(createPlane(LINK), createCall({ capabilities: withUrls }));
    expect(asked).toEqual({
      resultType: 'input_required',
      inputRequests: {
        'gatehouse.dev/sign-in': {
          method: 'elicitation/create',
          params: {
            mode: 'url',
            url: LINK,
            elicitationId: expect.any(String),
            message: expect.stringContaining('"Files"'),
          },
        },
      },
    });
  });

  it('is the error with the address for a session with URL elicitation', async () => {
    const call = createCall({ capabilities: withUrls, sessionId: 'session-1' });
    await expect(ask(createPlane(LINK), call)).rejects.toMatchObject({
      rpcCode: -32042,
      data: { elicitations: [{ mode: 'url', url: LINK, elicitationId: expect.any(String) }] },
    });
  });

  it.each([
    ['that has forms only', { capabilities: { elicitation: { form: {} } } }],
    ['that has forms only, in a session', { capabilities: { elicitation: {} }, sessionId: 'session-1' }],
    ['that was asked before', { capabilities: withUrls, params: { inputResponses: { 'gatehouse.dev/sign-in': {} } } }],
  ])('is a text with the address for a client %s', async (_, call) => {
    expect(await ask(createPlane(LINK), createCall(call))).toBe(
      `The connector "Files" needs you to sign in. Open ${LINK} in a browser, then try again.`,
    );
  });

  it('is a text with the command where no page exists', async () => {
    expect(await ask(createPlane(undefined), createCall({ capabilities: withUrls }))).toBe(
      'The connector "Files" needs you to sign in. Run: gatehouse connectors connect files',
    );
  });
});

describe('the answer to it', () => {
  it('is never sent to the server of the connector', () => {
    expect(removeSignInAnswer({ 'gatehouse.dev/sign-in': { action: 'accept' } })).toBeUndefined();
    expect(removeSignInAnswer({ 'gatehouse.dev/sign-in': {}, own: {} })).toEqual({ own: {} });
    expect(removeSignInAnswer(undefined)).toBeUndefined();
  });
});
