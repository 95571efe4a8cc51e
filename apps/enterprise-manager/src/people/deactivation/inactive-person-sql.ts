/** SQL expressions that identify a person: the token's issuer, subject and binding key. */
export interface PersonSql {
  issuer: string;
  subject: string;
  binding_key: string;
}

/**
 * SQL condition: the directory has deactivated or removed the person. The binding claim names an
 * entry that has no subject yet. A removed person is inactive until provisioned again; a person
 * without an entry is active.
 */
export const inactivePersonSql = ({ issuer, subject, binding_key }: PersonSql): string => `NOT COALESCE(
     (SELECT active FROM users WHERE issuer = ${issuer} AND subject = ${subject}),
     (SELECT active FROM users WHERE issuer = ${issuer} AND binding_key = ${binding_key} AND subject IS NULL),
     NOT EXISTS (SELECT FROM departed_people WHERE issuer = ${issuer} AND subject = ${subject})
       AND NOT EXISTS (SELECT FROM departed_bindings WHERE issuer = ${issuer} AND binding_key = ${binding_key}))`;
