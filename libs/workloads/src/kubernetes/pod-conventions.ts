/** The name of the container in each pod of a workload. */
export const CONTAINER = 'main';
/** The number of pods of a stdio server at its start: one for the first session, and one spare. */
export const FIRST_SERVER_PODS = 2;
/** The most processes of a stdio server. Each one is a pod. */
export const MAX_SERVER_PODS = 16;
/** Begins the lines of the proxy's log that are the standard error of a stdio server. */
export const SERVER_LINE = '[server] ';
