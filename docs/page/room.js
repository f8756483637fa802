// May nine megabytes be fetched without being asked for?

/** `navigator` as the browser has it; `coarse` where the pointer is a finger. */
export function isRoomy({ connection, deviceMemory }, coarse) {
  if (connection?.saveData) return false;
  if (connection?.effectiveType && connection.effectiveType !== "4g") return false;
  if (connection?.type === "cellular") return false;
  // A phone must say that it has memory and a good connection; a desktop need not.
  if (coarse) return Boolean(connection) && deviceMemory >= 4;
  return deviceMemory === undefined || deviceMemory >= 2;
}
