import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ConsentFacts } from './consent-page.ts';

/** Binds a consent form to one interaction and to what it showed, also across replicas. */
export class FormTokens {
  constructor(private readonly key: Buffer) {}

  create(uid: string, facts: ConsentFacts): string {
    const { clientName, clientId, redirectUri, resource, scopes, person } = facts;
    const content = JSON.stringify([uid, clientName, clientId, redirectUri, resource, scopes, person]);
    return createHmac('sha256', this.key).update(content).digest('base64url');
  }

  /** Whether a form showed these facts in this interaction. */
  isValid(token: string, uid: string, facts: ConsentFacts): boolean {
    const expected = Buffer.from(this.create(uid, facts));
    const presented = Buffer.from(token);
    return presented.length === expected.length && timingSafeEqual(presented, expected);
  }
}
