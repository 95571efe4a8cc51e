/** Whether a pod refuses the user of an image: it is root, or has a name that can be root. */
export const isRefusedUser = (user: string): boolean => !/^0*[1-9]\d*(?::.*)?$/.test(user);

/** The sentence about an image that runs as another user in a cluster. */
export const describeRefusedUser = (image: string): string =>
  `The user of the image ${image} is root or has no number; it runs as the user 10001 instead`;
