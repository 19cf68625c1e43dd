/** A setting is missing or wrong. The server prints the message, which names the setting, and does not start. */
export class ConfigError extends Error {}
