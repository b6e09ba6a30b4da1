"use client";
import { Button } from "@heroui/react";
import { Monitor, Moon, Sun } from "lucide-react";
import { themes, useTheme } from "@/components/theme/use-theme";

const icons = { system: Monitor, light: Sun, dark: Moon };
const names = { system: "as the system", light: "light", dark: "dark" };

/** Cycles through the themes, which the console shares. */
export function ThemeButton() {
  const { theme, setTheme } = useTheme();
  const Icon = icons[theme];
  return (
    <Button
      isIconOnly
      size="sm"
      variant="ghost"
      className="text-muted"
      aria-label={`Appearance: ${names[theme]}. Change`}
      onPress={() => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]!)}
    >
      <Icon aria-hidden="true" />
    </Button>
  );
}
