/** A process cannot start, and the operator can fix the reason. The message has one line for each fault. */
export class CannotStart extends Error {}
