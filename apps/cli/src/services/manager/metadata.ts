import type { GivenObject } from '../../json/input.ts';
import { findGroup } from './groups.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { findUser } from './users.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** The kind of object that has metadata. */
export type Entity = 'user' | 'group';

const findPathParameters = async (manager: Manager, entity: Entity, text: string) => ({
  path: { id: (entity === 'user' ? await findUser(manager, text) : await findGroup(manager, text)).id },
});

/** Reads the metadata of a user or group. */
export async function getMetadata(manager: Manager, entity: Entity, text: string): Promise<Schemas['EntityMetadata']> {
  const params = await findPathParameters(manager, entity, text);
  const outcome = await (entity === 'user'
    ? manager.api.GET('/v1/users/{id}/metadata', { params })
    : manager.api.GET('/v1/groups/{id}/metadata', { params }));
  // The user or group exists, so 404 means that it has no metadata.
  if (outcome.response.status === 404) {
    throw new CommandFailedError(`This ${entity} has no metadata`, [
      `gatehouse admin ${entity}s metadata set ${params.path.id} < metadata.json`,
    ]);
  }
  return readResponse(manager, Promise.resolve(outcome));
}

/** Replaces the whole document. @returns the id of the person or group */
export async function setMetadata(
  manager: Manager,
  entity: Entity,
  text: string,
  { object, asWritten }: GivenObject,
): Promise<string> {
  const params = await findPathParameters(manager, entity, text);
  // The document is sent unchanged, because JavaScript numbers could lose digits.
  const request = { params, body: object, bodySerializer: () => asWritten };
  await readResponse(
    manager,
    entity === 'user'
      ? manager.api.PUT('/v1/users/{id}/metadata', request)
      : manager.api.PUT('/v1/groups/{id}/metadata', request),
  );
  return params.path.id;
}

/** Removes the document. @returns the id of the person or group */
export async function deleteMetadata(manager: Manager, entity: Entity, text: string): Promise<string> {
  const params = await findPathParameters(manager, entity, text);
  await readResponse(
    manager,
    entity === 'user'
      ? manager.api.DELETE('/v1/users/{id}/metadata', { params })
      : manager.api.DELETE('/v1/groups/{id}/metadata', { params }),
  );
  return params.path.id;
}
