/** A process cannot start for a reason of the operator's; the message tells it, a line for each fault. */
export class CannotStart extends Error {}
