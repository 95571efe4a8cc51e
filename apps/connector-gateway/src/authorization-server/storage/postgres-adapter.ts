import { type Adapter, errors } from 'oidc-provider';
import { SIGN_IN_MODELS, USED_CLIENT_SECONDS, UNUSED_CLIENT_SECONDS } from './client-lifetimes.ts';
import type { PayloadsRepository } from './payloads.repository.ts';

/** Longest life of an object for which the provider names none. */
const DEFAULT_SECONDS = 24 * 3600;

/**
 * Creates the storage of one kind of object. Codes and refresh tokens have one use over all
 * replicas: a second one ends the grant (RFC 9700, sections 4.5.3 and 4.14.2). A refresh token can
 * be used again for some seconds; the next refresh ends the other tokens that this gave.
 */
export function createAdapter(model: string, payloads: PayloadsRepository): Adapter {
  return {
    upsert: async (id, payload, expiresIn) => {
      const { clientId } = payload;
      if (SIGN_IN_MODELS.has(model) && clientId !== undefined)
        await payloads.extend('Client', clientId, USED_CLIENT_SECONDS);
      const seconds = model === 'Client' ? UNUSED_CLIENT_SECONDS : (expiresIn ?? DEFAULT_SECONDS);
      await payloads.upsert(model, id, payload, seconds);
    },
    find: async (id) => await payloads.find(model, id),
    findByUid: async (uid) => await payloads.findByUid(model, uid),
    // Only the device flow has user codes, and it is off.
    findByUserCode: () => Promise.resolve(undefined),
    consume: async (id) => {
      if (await payloads.consume(model, id)) return;
      await payloads.endGrantOf(model, id);
      throw new errors.InvalidGrant('the code or token was used already');
    },
    destroy: async (id) => {
      if (model === 'Grant') await payloads.endGrant(id);
      else await payloads.destroy(model, id);
    },
    revokeByGrantId: (grantId) => payloads.endGrant(grantId),
  };
}
