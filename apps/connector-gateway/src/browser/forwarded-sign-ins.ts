import { randomUUID } from 'node:crypto';

const STATE = /^([\w-]{1,64})\.[\w-]{36}$/;

/**
 * Creates the state of a sign-in whose response belongs to a page of the authorization server and
 * not to the browser session.
 * @param uid the interaction of the page, of letters, digits, `_` and `-`
 */
export const createForwardedState = (uid: string): string => `${uid}.${randomUUID()}`;

/** The interaction of such a state; undefined for a state of the browser session. */
export const findForwardedInteraction = (state: string | null): string | undefined => STATE.exec(state ?? '')?.[1];

/** Path of the pages of the authorization server; each interaction has its cookie for its path. */
export const INTERACTIONS_PATH = '/oauth/interactions';
