/** The channel that names a connector about whose tools an administrator has decided. */
export const PINS_CHANNEL = 'tool_pins_changed';
