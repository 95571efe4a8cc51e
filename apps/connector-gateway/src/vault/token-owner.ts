/** The user and the connector of stored tokens. */
export interface TokenOwner {
  readonly issuer: string;
  readonly subject: string;
  readonly connectorId: string;
}

/** The sign-in that issued tokens. */
export interface TokenOrigin {
  /** The issuer of the authorization server. */
  readonly providerIssuer: string;
  /** The client at that server to which the tokens were issued. */
  readonly clientId: string;
  /** Origin (RFC 6454) of the endpoint for which the tokens were issued; they go nowhere else. */
  readonly upstreamOrigin: string;
}

/** The key of an owner. */
export const getOwnerKey = ({ issuer, subject, connectorId }: TokenOwner): string =>
  JSON.stringify([issuer, subject, connectorId]);

/** The origin of the endpoint of a connector: scheme, host and port. */
export const getUpstreamOrigin = ({ endpoint }: { endpoint: string }): string => new URL(endpoint).origin;
