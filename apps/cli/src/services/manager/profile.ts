import { readResponse, type Manager, type Schemas } from './manager.ts';

/** Reads the caller's directory entry. */
export const getProfile = (manager: Manager): Promise<Schemas['OwnProfile']> =>
  readResponse(manager, manager.api.GET('/v1/me'), { fields: { issuer: 'text', subject: 'text', groups: 'list' } });
