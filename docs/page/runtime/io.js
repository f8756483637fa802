// How the worker gets files: fetched, inflated where the build compressed them, counted on the way.

/** A file could not be fetched. */
export class NetworkError extends Error {
  constructor(name, reason) {
    // Quoted in sentences of any language, so it has no words of its own.
    super(`${name.split("/").at(-1)} (${reason})`);
    this.name = "NetworkError";
    this.reason = reason;
  }
}

const isCompressed = (name) => name.endsWith(".gz");

/** Fetch with an error that names the file. */
export async function get(address, options = {}) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (problem) {
    throw new NetworkError(address, problem.message);
  }
  if (!answer.ok) throw new NetworkError(address, `${answer.status}`);
  return answer;
}

/** A stream that tells how many bytes went through. */
function counter(count) {
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
}

/** The content of an answer, counted as transferred and inflated. */
export function content(answer, name, count = () => {}) {
  let body = answer.body.pipeThrough(counter(count));
  // A host that takes ".gz" for an encoding has had the browser inflate it already.
  if (isCompressed(name) && answer.headers.get("content-encoding") !== "gzip") {
    body = body.pipeThrough(new DecompressionStream("gzip"));
  }
  return body;
}

export class BrowserIO {
  /** @param base  absolute address of the runtime's folder */
  constructor(base) {
    this.base = base;
  }

  url(name) {
    return new URL(name, this.base).href;
  }

  module(name) {
    return import(this.url(name));
  }

  async bytes(name, count) {
    const answer = await get(this.url(name));
    try {
      return new Uint8Array(await new Response(content(answer, name, count)).arrayBuffer());
    } catch (problem) {
      throw new NetworkError(name, problem.message);
    }
  }

  /** As the file lies on the host: nothing can be inflated while Python waits but by Python. */
  bytesNow(name) {
    const request = new XMLHttpRequest();
    request.open("GET", this.url(name), false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch (problem) {
      throw new NetworkError(name, problem.message);
    }
    if (request.status !== 200) throw new NetworkError(name, `${request.status}`);
    return new Uint8Array(request.response);
  }

  /** An address for bytes that are made here. */
  address(bytes, type) {
    return URL.createObjectURL(new Blob([bytes], { type }));
  }
}
