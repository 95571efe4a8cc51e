import { answerOf, type Manager, type Schemas } from './manager.ts';

/** Reads the caller's directory entry. */
export const profileOf = (manager: Manager): Promise<Schemas['OwnProfile']> =>
  answerOf(manager, manager.api.GET('/v1/me'), { fields: { issuer: 'text', subject: 'text', groups: 'list' } });
