/** Thrown by `createProxy` for an option that cannot work; `option` is the path of it. */
export class ProxyOptionError extends Error {
  override readonly name = 'ProxyOptionError';
  readonly option: string;

  constructor(option: string, sentence: string) {
    super(sentence);
    this.option = option;
  }
}
