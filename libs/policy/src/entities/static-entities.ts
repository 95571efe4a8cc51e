import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { callEngine } from '../engine.ts';

/** The maximum number of entities beside the policies. */
export const MAX_ENTITIES = 10_000;

/** The entities beside the policies are not valid; the message is Cedar's sentence. */
export class EntitiesError extends GatehouseError {
  override readonly code = 'invalid_entities';
}

/** Entities that exist at every decision, such as groups and their hierarchy. */
export class StaticEntities {
  private constructor(private readonly entities: ReadonlyMap<string, cedar.EntityJson>) {}

  /**
   * Checks entities in Cedar's JSON. Attributes and parents can be left out.
   * @throws EntitiesError
   */
  static parse(value: unknown): StaticEntities {
    if (!Array.isArray(value)) throw new EntitiesError('the entities are not a list');
    if (value.length > MAX_ENTITIES) throw new EntitiesError(`there are more than ${MAX_ENTITIES} entities`);
    const entities = value.map((entity) => complete(entity));
    const checked = callEngine((engine) => engine.checkParseEntities({ entities }));
    if (checked.type === 'failure')
      throw new EntitiesError(checked.errors.map(({ message }) => message).join('; ') || 'the entities are not valid');
    const map = new Map<string, cedar.EntityJson>();
    for (const entity of entities) {
      const uid = getUid(entity.uid);
      const key = getKey(uid);
      if (map.has(key)) throw new EntitiesError(`the entity ${uid.type}::${JSON.stringify(uid.id)} occurs twice`);
      map.set(key, { ...entity, uid });
    }
    return new StaticEntities(map);
  }

  /** @returns the entity with this identity */
  find(uid: cedar.TypeAndId): cedar.EntityJson | undefined {
    if (this.entities.size === 0) return undefined;
    return this.entities.get(getKey(uid));
  }

  /**
   * Lists the entities that a decision can reach from others: through parents and attributes. Cedar
   * needs no further one, and its time grows with their number.
   * @param from the entities of the request, and those that policies name
   */
  listReachable(from: { readonly uids: readonly cedar.TypeAndId[]; readonly known: ReadonlySet<string> }) {
    if (this.entities.size === 0) return [];
    const found = new Map<string, cedar.EntityJson>();
    const open = [...from.uids];
    for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
      const key = getKey(uid);
      const entity = this.entities.get(key);
      if (entity === undefined || found.has(key)) continue;
      found.set(key, entity);
      for (const parent of entity.parents) open.push(getUid(parent));
      addReferences(entity.attrs, open);
      addReferences(entity.tags, open);
    }
    return [...found].filter(([key]) => !from.known.has(key)).map(([, entity]) => entity);
  }
}

/** The identity of an entity as the key of a map. */
export const getKey = ({ type, id }: cedar.TypeAndId): string => JSON.stringify([type, id]);

/** The identity in both forms that Cedar reads. */
export const getUid = (uid: cedar.EntityUidJson): cedar.TypeAndId => ('__entity' in uid ? uid.__entity : uid);

function complete(entity: unknown): cedar.EntityJson {
  if (typeof entity !== 'object' || entity === null || Array.isArray(entity))
    throw new EntitiesError('an entity is not an object');
  return { attrs: {}, parents: [], ...entity } as unknown as cedar.EntityJson;
}

/** Adds the entities to which attributes refer. */
function addReferences(value: unknown, uids: cedar.TypeAndId[]): void {
  if (typeof value !== 'object' || value === null) return;
  const { __entity: reference, type, id } = value as Record<string, unknown>;
  if (reference !== undefined) addReferences(reference, uids);
  if (typeof type === 'string' && typeof id === 'string') uids.push({ type, id });
  for (const item of Object.values(value)) addReferences(item, uids);
}
