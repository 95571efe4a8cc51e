/** The form of AWS regions, of all partitions. */
export const REGION = /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/;

/** The form of the ARN of an AWS role, with its path. */
export const ACCOUNT_ROLE = /^arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

/** The types of exchanged tokens (RFC 8693 section 3): complete names, and their last words. */
export const SUBJECT_TOKEN_TYPES: ReadonlySet<string> = new Set(
  ['access_token', 'id_token', 'jwt'].flatMap((type) => [type, `urn:ietf:params:oauth:token-type:${type}`]),
);
