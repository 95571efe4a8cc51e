const HOUR = 3600;
const DAY = 24 * HOUR;

/** Seconds after which a registered client is removed that no user has signed in to. */
export const UNUSED_CLIENT_SECONDS = HOUR;

/** Seconds after its last sign-in or refresh after which a registered client is removed. */
export const USED_CLIENT_SECONDS = 60 * DAY;

/** Objects that exist only after a sign-in. They show that a client is used. */
export const SIGN_IN_MODELS: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode', 'RefreshToken']);
