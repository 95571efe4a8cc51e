/** The person that edits an object. */
export interface Editor {
  /**
   * Lets the person edit a text.
   * @param version the version of the object that the text was made from
   * @throws CliError when the editor fails
   */
  edit(text: string, version: string | undefined): Promise<string>;
  /** Whether the person can answer questions. */
  canAsk(): boolean;
  /** Asks for one of several answers. @throws InterruptedError */
  choose<Answer extends string>(question: string, answers: readonly Answer[]): Promise<Answer>;
  /** Shows a message of one or more lines. */
  say(text: string): void;
}
