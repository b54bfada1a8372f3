/** A certificate for this machine, signed by itself, made anew each time. May touch: OpenSSL (OPENSSL names another), as a process. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ARGUMENTS = [
  ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout - -out -".split(" "),
  ..."-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1".split(" "),
];

/** `{ key, cert }`, as Node's servers take them. */
export const selfSigned = async () => {
  const { stdout } = await promisify(execFile)(process.env.OPENSSL ?? "openssl", ARGUMENTS);
  const [cert] = stdout.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/);
  const [key] = stdout.match(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/);
  return { key, cert };
};
