/** The columns of an entity as plain data, as raw queries return them. */
export type Stored<Entity> = { [Column in keyof Entity]: Entity[Column] };
