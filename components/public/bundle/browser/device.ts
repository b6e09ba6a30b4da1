import { h, render, type ComponentType } from "preact";
import "./device-words";
import "../../device/start";
import { DevicePanel } from "../../device/device-panel";
import { device } from "../../device/hooks";
import { OfflineAnswer } from "../../device/offline-answer";

// The part of /verify for use without a connection (start-device.ts). Components are written for React, whose types
// Preact does not know.

device().show = (place, answer) => render(h(OfflineAnswer as unknown as ComponentType<typeof answer>, answer), place);
render(h(DevicePanel as unknown as ComponentType, {}), document.querySelector("[data-device] > div")!);
