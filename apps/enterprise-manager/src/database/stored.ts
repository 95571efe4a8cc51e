/**
 * The columns of an entity as plain data, as raw queries return them; an object literal can be one.
 */
export type Stored<Entity> = { [Column in keyof Entity]: Entity[Column] };
