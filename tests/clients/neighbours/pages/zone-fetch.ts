/** zone.js with its plugin for `fetch`, which puts a signal of its own in place of the page's. */
import "zone.js";
import "zone.js/plugins/zone-patch-fetch";
import { enterZone } from "./zone-setup.js";

enterZone(false);
