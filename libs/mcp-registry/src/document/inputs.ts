import { z } from 'zod';

/** The maximum length of a text that is shown to a person. */
export const MAX_TEXT_LENGTH = 20_000;
/** The maximum number of environment variables, arguments, tools and tags of an entry. */
export const MAX_ITEMS = 2_000;

export const Text = z.string().max(MAX_TEXT_LENGTH);

/** A value that a configuration or a person supplies (`Input` of server.json, 2025-12-11). */
const Input = z.looseObject({
  description: Text.optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  format: z.string().max(100).optional(),
  value: Text.optional(),
  default: Text.optional(),
  placeholder: Text.optional(),
  choices: z.array(Text).max(MAX_ITEMS).optional(),
});

/** An input whose `value` may have `{names}` of other inputs. */
const InputWithVariables = Input.extend({ variables: z.record(z.string().max(200), Input).optional() });

/** A value with variables, as an entry declares it. */
export type InputWithVariables = z.infer<typeof InputWithVariables>;

/** An environment variable (`KeyValueInput`). Its name has the form that POSIX shells accept. */
export const EnvironmentVariableInput = InputWithVariables.extend({
  name: z
    .string()
    .max(200)
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and underscores, and begin with no digit'),
});

/** A header of a remote server (`KeyValueInput`). Its name is a token of RFC 9110. */
export const HeaderInput = InputWithVariables.extend({
  name: z
    .string()
    .max(200)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header'),
});

/** A word on a command line has no NUL and no line break. */
const Word = Text.regex(/^[^\0\r\n]*$/, 'must have no line break');

/** A command-line argument (`Argument`). */
export const ArgumentInput = z.discriminatedUnion('type', [
  InputWithVariables.extend({
    type: z.literal('positional'),
    valueHint: Text.optional(),
    value: Word.optional(),
    default: Word.optional(),
    isRepeated: z.boolean().optional(),
  }),
  InputWithVariables.extend({
    type: z.literal('named'),
    name: Word.min(1).max(200),
    valueHint: Text.optional(),
    value: Word.optional(),
    default: Word.optional(),
    isRepeated: z.boolean().optional(),
  }),
]);

/** An argument, as an entry declares it. */
export type ArgumentInput = z.infer<typeof ArgumentInput>;
