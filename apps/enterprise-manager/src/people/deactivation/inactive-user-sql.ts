/** SQL expressions that identify a user: the token's issuer, subject and binding key. */
export interface UserIdentitySql {
  issuer: string;
  subject: string;
  binding_key: string;
}

/**
 * SQL condition: the directory has deactivated or removed the user. The binding key identifies an
 * entry that has no subject yet. A removed user is inactive until it is provisioned again; a user
 * without an entry is active.
 */
export const buildInactiveUserSql = ({ issuer, subject, binding_key }: UserIdentitySql): string => `NOT COALESCE(
     (SELECT active FROM users WHERE issuer = ${issuer} AND subject = ${subject}),
     (SELECT active FROM users WHERE issuer = ${issuer} AND binding_key = ${binding_key} AND subject IS NULL),
     NOT EXISTS (SELECT FROM departed_people WHERE issuer = ${issuer} AND subject = ${subject})
       AND NOT EXISTS (SELECT FROM departed_bindings WHERE issuer = ${issuer} AND binding_key = ${binding_key}))`;
