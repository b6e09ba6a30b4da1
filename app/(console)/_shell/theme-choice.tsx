"use client";
import { ToggleButton, ToggleButtonGroup } from "@heroui/react";
import { Monitor, Moon, Sun } from "lucide-react";
import { themes, useTheme, type Theme } from "@/components/theme/use-theme";

const icons = { system: Monitor, light: Sun, dark: Moon };
const words = { system: "As the system", light: "Light", dark: "Dark" };

export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return (
    <ToggleButtonGroup
      aria-label="Appearance"
      size="sm"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[theme]}
      onSelectionChange={(keys) => setTheme([...keys][0] as Theme)}
    >
      {themes.map((name) => {
        const Icon = icons[name];
        return (
          <ToggleButton key={name} id={name} isIconOnly aria-label={words[name]}>
            <Icon className="size-3.5" aria-hidden="true" />
          </ToggleButton>
        );
      })}
    </ToggleButtonGroup>
  );
}
