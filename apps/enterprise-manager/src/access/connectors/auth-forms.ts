/** Regions of AWS, of all partitions. */
export const REGION = /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/;

/** A role of an AWS account, with its path. */
export const ACCOUNT_ROLE = /^arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

/**
 * What a token that is exchanged may be: RFC 8693 section 3, by its whole name or its last word.
 */
export const SUBJECT_TOKEN_TYPES: ReadonlySet<string> = new Set(
  ['access_token', 'id_token', 'jwt'].flatMap((type) => [type, `urn:ietf:params:oauth:token-type:${type}`]),
);
